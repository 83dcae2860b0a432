import { expect, test } from 'vitest'
import { confidenceBand } from './confidence.ts'

test.each([
  [1, 'Very High'],
  [0.9, 'Very High'],
  [0.8999, 'High'],
  [0.7, 'High'],
  [0.6999, 'Medium'],
  [0.5, 'Medium'],
  [0.4999, 'Low'],
  [0.3, 'Low'],
  [0.2999, 'Very Low'],
  [0, 'Very Low'],
] as const)('a confidence of %d is %s', (score, band) => {
  expect(confidenceBand(score)).toBe(band)
})
