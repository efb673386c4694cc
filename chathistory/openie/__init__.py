"""openie"""
