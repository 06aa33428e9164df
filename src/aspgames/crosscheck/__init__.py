"""Cross-checking other engines: are their rules those of the encoding?"""
