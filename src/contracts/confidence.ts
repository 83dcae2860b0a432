const BANDS = [
  [0.9, 'Very High'],
  [0.7, 'High'],
  [0.5, 'Medium'],
  [0.3, 'Low'],
] as const

/** The name of a range of confidence scores. */
export type ConfidenceBand = (typeof BANDS)[number][1] | 'Very Low'

/** Returns the band of a confidence score from 0 to 1; a band includes its lower bound. */
export function confidenceBand(score: number): ConfidenceBand {
  return BANDS.find(([lowest]) => score >= lowest)?.[1] ?? 'Very Low'
}
