"""What whoever teaches with subword-lab needs: handouts, marking, reports, slides, the room, the site."""

__version__ = "0.1.0"
