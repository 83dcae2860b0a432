import { describe, expect, test } from 'vitest'
import { openApp } from '../../app.ts'
import { databaseUrl } from './open.ts'

const addressOf = (url: string) => databaseUrl({ ...openApp({}, 'test'), databaseUrl: url })

describe('DATABASE_URL', () => {
  test.each([
    'postgres://ada@db.example.org/waybill',
    'postgresql://ada:a%2Fb@127.0.0.1:5433/waybill?sslmode=disable',
    'postgres://127.0.0.1/waybill?uselibpqcompat=true&sslmode=require',
    'postgres:///waybill?host=/var/run/postgresql',
  ])('may be %s', async url => {
    expect(await addressOf(url)).toBe(url)
  })

  test('has a host also where it leads to a socket, for those who read it after us', async () => {
    const at = 'waybill?host=/var/run/postgresql&application_name=@/sslmode'
    expect(await addressOf(`postgres://ada:x@/${at}`)).toBe(`postgres://ada:x@localhost/${at}`)
  })

  test.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'with sslmode=%s means that the server is verified in full, as the driver has it',
    async mode => {
      const at = 'postgres://127.0.0.1/waybill?connect_timeout=3'
      expect(await addressOf(`${at}&sslmode=${mode}`)).toBe(`${at}&sslmode=verify-full`)
      expect(await addressOf(`${at}&sslmode=${mode}&a=b`)).toBe(`${at}&sslmode=verify-full&a=b`)
    },
  )

  test.each(['', 'verify', 'allow', 'Require', 'disable&sslmode=secret'])(
    'may not have the sslmode %s, which the driver would take in silence',
    async mode => {
      const fault = await addressOf(`postgres://ada@127.0.0.1/waybill?sslmode=${mode}`).catch(
        (error: unknown) => error,
      )
      expect(fault).toMatchObject({
        code: 'configuration',
        hint: expect.stringContaining('verify-full'),
      })
      expect(String(fault)).not.toMatch(/secret|127/)
    },
  )

  test.each([
    'localhost',
    'mysql://127.0.0.1/waybill',
    'http://127.0.0.1/waybill',
    'postgres://ada:secret/or#not@127.0.0.1/waybill',
    'postgres://127.0.0.1:port/waybill',
    'postgres:///waybill?host=/var/run/postgresql&port=99999',
    'postgres:///waybill?host=/var/run/postgresql&port=',
    'postgres://ada:secret@127.0.0.1',
    'postgres://',
  ])('may not be %s, and no word of it is repeated', async url => {
    const fault = await addressOf(url).catch((error: unknown) => error)
    expect(fault).toMatchObject({ code: 'configuration', hint: expect.stringContaining('%2F') })
    expect(String(fault)).not.toMatch(/secret|127/)
  })
})
