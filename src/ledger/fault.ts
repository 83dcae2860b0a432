/** Why something read from outside counts for nothing; given back, never thrown. */
export interface Faulty {
  readonly fault: string
}
