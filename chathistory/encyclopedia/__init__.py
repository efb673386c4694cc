"""encyclopedia"""
