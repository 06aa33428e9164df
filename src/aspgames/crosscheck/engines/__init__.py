"""The engines that can be asked, ours among them, and turns as they write them."""
