/** The confidence from which on a session may go on by itself and produce code. */
export const ENOUGH = 70
