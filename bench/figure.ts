import { median, ratioOf, type Sample } from './measure.ts'

/** The target of a figure; a ratio is ours to theirs unless it states a speedup. */
export type Target =
  | { readonly kind: 'times-at-most'; readonly limit: number }
  | { readonly kind: 'times-faster'; readonly limit: number }
  | { readonly kind: 'at-most'; readonly limit: number }

/** One line of a published table. */
export interface Figure {
  readonly what: string
  readonly unit: 'ms' | 'µs' | 'KB' | 'MB' | '%'
  readonly ours: Sample
  /** The sample it is compared with, if any. */
  readonly theirs?: Sample
  /** Absent for informational figures. */
  readonly target?: Target
  readonly note?: string
}

/** Why a row or a part of it was not measured on this machine. */
export interface Skip {
  readonly what: string
  readonly skipped: string
}

/** The distance of a figure from its target. */
export interface Verdict {
  readonly met: boolean
  /** The measured value as the target states it: a ratio, or a figure in its unit. */
  readonly reached: number
  readonly words: string
}

/** Compares a figure with its target; undefined without one. */
export function judge(figure: Figure): Verdict | undefined {
  const { target } = figure
  if (!target) return undefined
  const reached = reachedBy(figure, target)
  const most = target.kind !== 'times-faster'
  const met = most ? reached <= target.limit : reached >= target.limit
  const apart = Math.abs(reached / target.limit - 1) * 100
  const words = `${met ? 'met' : 'missed'} by ${apart.toFixed(0)} %`
  return { met, reached, words }
}

function reachedBy({ ours, theirs }: Figure, { kind }: Target): number {
  if (kind === 'at-most' || !theirs) return median(ours.times)
  return kind === 'times-faster' ? ratioOf(theirs, ours) : ratioOf(ours, theirs)
}

/** Formats a target: `≤ 2×`. */
export function targetWords({ target, unit }: Figure): string {
  if (!target) return 'for information'
  if (target.kind === 'times-at-most') return `≤ ${target.limit}×`
  if (target.kind === 'times-faster') {
    return target.limit === 1 ? 'no slower' : `≥ ${target.limit}× as fast`
  }
  return `≤ ${target.limit} ${unit}`
}

/** Formats a sample: median, minimum and maximum. */
export function sampleWords({ times }: Sample, unit: string): string {
  const [least, most] = [Math.min(...times), Math.max(...times)]
  const range = times.length > 1 ? ` (${rounded(least)}–${rounded(most)})` : ''
  return `${rounded(median(times))} ${unit}${range}`
}

/** Formats the ratio of a figure; as a speedup if the target is one. */
export function ratioWords(figure: Figure): string {
  const { ours, theirs, target } = figure
  if (!theirs) return '–'
  const faster = ratioOf(theirs, ours)
  const wanted = target ? target.kind === 'times-faster' : faster > 1
  return wanted ? `${faster.toFixed(2)}× as fast` : `${ratioOf(ours, theirs).toFixed(2)}×`
}

function rounded(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)
}
