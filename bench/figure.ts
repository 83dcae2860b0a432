import { median, ratioOf, type Sample } from './measure.ts'

/** What a figure is to reach; a ratio is ours by theirs unless it says how many times faster. */
export type Target =
  | { readonly kind: 'times-at-most'; readonly limit: number }
  | { readonly kind: 'times-faster'; readonly limit: number }
  | { readonly kind: 'at-most'; readonly limit: number }

/** One line of a published table. */
export interface Figure {
  readonly what: string
  readonly unit: 'ms' | 'µs' | 'MB' | '%'
  readonly ours: Sample
  /** What it is compared with; absent where the figure stands for itself. */
  readonly theirs?: Sample
  /** Absent where a figure is for information. */
  readonly target?: Target
  readonly note?: string
}

/** Why a row, or a part of it, has no figures on this machine. */
export interface Skip {
  readonly what: string
  readonly skipped: string
}

/** How far a figure is from its target. */
export interface Verdict {
  readonly met: boolean
  /** What was reached, in the terms of the target: a ratio, or a figure in its unit. */
  readonly reached: number
  readonly words: string
}

/** Compares a figure with its target; `undefined` where it has none. */
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

/** A target in words: `≤ 2×`. */
export function targetWords({ target, unit }: Figure): string {
  if (!target) return 'for information'
  if (target.kind === 'times-at-most') return `≤ ${target.limit}×`
  if (target.kind === 'times-faster') {
    return target.limit === 1 ? 'no slower' : `≥ ${target.limit}× as fast`
  }
  return `≤ ${target.limit} ${unit}`
}

/** A sample in words: its middle, and the least and the most. */
export function sampleWords({ times }: Sample, unit: string): string {
  const [least, most] = [Math.min(...times), Math.max(...times)]
  const range = times.length > 1 ? ` (${rounded(least)}–${rounded(most)})` : ''
  return `${rounded(median(times))} ${unit}${range}`
}

/** The ratio of a figure in words; times as fast where that is what the target asks for. */
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
