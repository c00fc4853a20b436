"""What a recorded run becomes: traces, and the vectors of the voted perceptron."""
