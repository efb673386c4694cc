"""persona"""
