"""Programs that play: the engine, matches, UCI and General Game Playing."""
