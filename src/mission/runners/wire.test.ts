import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
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
    headers: { authorization: 'Bearer of-no-user' },
    deadline: startDeadline(undefined, { ms: null, tokens: null }, signal),
    limits: LIMITS,
  })
}

test('asks its own origin alone, whatever address it is given', async () => {
  const [own, other] = [await openModelServer({ text: 'x' }), await openModelServer({ text: 'x' })]
  const wire = wireTo(own.url)
  await expect(wire.fetch(other.url, { method: 'POST', body: '{}' })).rejects.toThrow('redirects')
  expect(wire.failure()).toMatchObject({ code: 'mission/runner-failed', mayRetry: false })
  expect(other.asked).toEqual([])
  await own.close()
  await other.close()
})

test('a request that its sender breaks off is no fault of the other side', async () => {
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

test('a refusal whose words break off means what its status says, and the answer after it counts', async () => {
  const server = await openModelServer({ refuses: 429 }, { text: 'x' }, { refuses: 401 })
  const [busy, strict] = [wireTo(server.url), wireTo(server.url)]
  const asking = { method: 'POST', body: '{}' }
  expect((await busy.fetch(server.url, asking)).status).toBe(200)
  expect(busy.failure()).toBeUndefined()
  await expect(strict.fetch(server.url, asking)).rejects.toThrow('did not accept the key')
  expect(strict.failure()).toMatchObject({ code: 'mission/runner-refused', mayRetry: false })
  await server.close()
})

test('an untrusted certificate is reported, and the request is not tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)
  const made = ['-keyout', at('key'), '-out', at('certificate'), '-subj', '/CN=localhost']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made], {
    stdio: 'ignore',
  })
  const [key, cert] = [readFileSync(at('key')), readFileSync(at('certificate'))]
  const server = createServer({ key, cert }, (_, response) => response.end())
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const wire = wireTo(url)
  await expect(wire.fetch(url)).rejects.toThrow(
    'the certificate of the other side is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT): add its authority with NODE_EXTRA_CA_CERTS',
  )
  expect(wire.failure()).toMatchObject({ code: 'mission/runner-refused', mayRetry: false })
})

/** The failure that is reported where a connection ends with an error of the system. */
async function toldOf(code: string) {
  const cause = Object.assign(new Error('of the system'), { code })
  const fetch = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('failed', { cause }))
  onTestFinished(() => fetch.mockRestore())
  const wire = wireTo('https://localhost')
  await expect(wire.fetch('https://localhost')).rejects.toThrow()
  return wire.failure()
}

test.each([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name'],
  ['CERT_REVOKED', 'is not trusted here'],
])('of a certificate with %s no authority is to be named', async (code, what) => {
  const message = `the certificate of the other side ${what} (${code})`
  expect(await toldOf(code)).toMatchObject({
    code: 'mission/runner-refused',
    mayRetry: false,
    message,
  })
})

test.each([
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
])('%s is not about the certificate of the other side', async code => {
  const message = `the connection to the other side broke (${code})`
  expect(await toldOf(code)).toMatchObject({ code: 'mission/runner-unavailable', message })
})

test('an address with https where http is spoken is reported, and it is not tried again', async () => {
  const server = await openModelServer({ text: 'x' })
  onTestFinished(() => server.close())
  const wire = wireTo(server.url.replace('http:', 'https:'))
  await expect(wire.fetch(server.url.replace('http:', 'https:'))).rejects.toThrow(
    'the other side does not speak https (ERR_SSL_WRONG_VERSION_NUMBER)',
  )
  expect(wire.failure()).toMatchObject({ code: 'mission/runner-refused', mayRetry: false })
})
