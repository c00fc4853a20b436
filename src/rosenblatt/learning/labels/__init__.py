"""Labels: codes of classes, weights of classes, stratified splits."""
