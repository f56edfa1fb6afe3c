// Ends before it can be asked anything.
throw new Error("no licence found");
