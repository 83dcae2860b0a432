import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a certificate that nobody here vouches for is told, and it is not tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tls-'))
  const at = (name: string) => join(folder, name)
  const made = ['-keyout', at('key'), '-out', at('certificate'), '-subj', '/CN=localhost']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made], {
    stdio: 'ignore',
  })
  const [key, cert] = [readFileSync(at('key')), readFileSync(at('certificate'))]
  const server = createServer({ key, cert }, (_, response) => response.end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const wire = wireTo(url)
  await expect(wire.fetch(url)).rejects.toThrow('the certificate of the other side does not count')
  expect(wire.failure()).toMatchObject({ code: 'mission/runner-refused', mayRetry: false })
  server.close()
  rmSync(folder, { recursive: true })
})

test('an address with https where http is spoken is told, and it is not tried again', async () => {
  const server = await openModelServer({ text: 'x' })
  const wire = wireTo(server.url.replace('http:', 'https:'))
  await expect(wire.fetch(server.url.replace('http:', 'https:'))).rejects.toThrow(
    'the other side does not speak https (ERR_SSL_WRONG_VERSION_NUMBER)',
  )
  expect(wire.failure()).toMatchObject({ code: 'mission/runner-refused', mayRetry: false })
  await server.close()
})
