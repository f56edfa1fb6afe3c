# What is no failure and worth a word: a method that a script need not have, and states that its `read` leaves out.
run denobridge try ../scripts/forgetful.ts --props '{}'
