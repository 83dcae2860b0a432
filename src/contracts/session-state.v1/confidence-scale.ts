/** Confidence from which a session may advance and write code. */
export const ENOUGH = 70
