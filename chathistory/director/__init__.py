"""director"""
