import { processHost } from '../src/app.ts'

/** Whether this is `npm run test:long`, which repeats kills and races by the hundred. */
export const isLong = processHost.env.WAYBILL_LONG_FAULTS === '1'

/** A few cases of a table, or all of them in `npm run test:long`. */
export const someOf = <T>(all: readonly T[], some: readonly T[]): readonly T[] =>
  isLong ? all : some
