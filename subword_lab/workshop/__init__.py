"""For whoever teaches: marking a folder of notebooks, handing out variants, and the report on what the room got wrong."""
