import { expect, test } from 'vitest'
import type { LogUnderTest } from './log-suite.ts'
import { draftOf, keysOf } from './test-log.ts'

/** Makes a log that is tested. */
export type Create = () => LogUnderTest

/** A decision is appended only while what it was made on is the last that there is. */
export function testDeciding(create: Create): void {
  test('what was decided on the last entry of a key is appended only while that is the last', async () => {
    const subject = create()
    const log = await subject.open()
    const decide = (id: string, last: number | undefined) =>
      log.append({ ...draftOf(id), seen: [{ key: 'kind:alarm', last }] })
    expect(await decide('a', undefined)).toMatchObject({ index: 0 })
    // In the same group, promised, published, and by another who writes.
    const raised = log.append(draftOf('b', 'alarm'))
    const refusal = { taken: 'kind:alarm', index: 1, digest: keysOf(draftOf('b').content).digest }
    expect(await decide('c', undefined)).toEqual(refusal)
    expect(await raised).toMatchObject({ index: 1 })
    expect(await decide('c', undefined)).toEqual(refusal)
    expect(await decide('d', 1)).toMatchObject({ index: 2 })
    await log.covered()
    expect(await decide('c', undefined)).toEqual(refusal)
    const other = await subject.open()
    expect(await other.append(draftOf('e', 'alarm'))).toMatchObject({ index: 3 })
    await other.close()
    expect(await decide('f', 1)).toMatchObject({ taken: 'kind:alarm', index: 3 })
    expect(await decide('g', 3)).toMatchObject({ index: 4 })
    await log.close()
  })
}
