const BANDS = [
  [0.9, 'Very High'],
  [0.7, 'High'],
  [0.5, 'Medium'],
  [0.3, 'Low'],
] as const

/** What people call a range of confidence scores. */
export type ConfidenceBand = (typeof BANDS)[number][1] | 'Very Low'

/** The name of the band that a confidence score from 0 to 1 falls into; a band includes its lower bound. */
export function confidenceBand(score: number): ConfidenceBand {
  return BANDS.find(([lowest]) => score >= lowest)?.[1] ?? 'Very Low'
}
