import { expect, test } from 'vitest'
import { openModelServer } from '../../../test/model-server.ts'
import { startDeadline } from './deadline.ts'
import { openWire } from './wire.ts'

const LIMITS = { bytes: 1024 * 1024, silence: 10_000, tries: 4, pause: 1 }

function wireTo(url: string) {
  const { signal } = new AbortController()
  return openWire({
    origin: new URL(url).origin,
    who: 'the other side',
    proof: 'the key',
    headers: { authorization: 'Bearer of-nobody' },
    deadline: startDeadline(undefined, { ms: null, tokens: null }, signal),
    limits: LIMITS,
  })
}

test('asks its own origin alone, whatever it is told to ask', async () => {
  const [own, other] = [await openModelServer({ text: 'x' }), await openModelServer({ text: 'x' })]
  const wire = wireTo(own.url)
  await expect(wire.fetch(other.url, { method: 'POST', body: '{}' })).rejects.toThrow('elsewhere')
  expect(wire.failure()).toMatchObject({ code: 'mission/runner-failed', mayRetry: false })
  expect(other.asked).toEqual([])
  await own.close()
  await other.close()
})

test('what whoever asks breaks off is no fault of the other side', async () => {
  const server = await openModelServer({ breaks: 'hang' })
  const wire = wireTo(server.url)
  const stop = new AbortController()
  const { signal } = stop
  const response = await wire.fetch(server.url, { method: 'POST', body: '{}', signal })
  const read = response.text()
  stop.abort()
  await expect(read).rejects.toThrow()
  expect(wire.failure()).toBeUndefined()
  await server.close()
})
