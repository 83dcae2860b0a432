import type { Socket } from 'node:net'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { openPool } from './connection.ts'
import { beginningClient, preparingClient } from './preparing-client.ts'

let database: Database
let pool: Pool
beforeAll(async () => {
  database = await openDatabase()
  const how = { pipeline: true, Client: await preparingClient() }
  pool = await openPool(database.url, 1, undefined, how)
})
afterAll(async () => {
  await pool?.end()
  await database?.remove()
})

/** What the one connection has prepared. */
async function prepared(): Promise<readonly string[]> {
  const { rows } = await pool.query('select statement from pg_prepared_statements order by 1')
  return rows.map(({ statement }) => statement)
}

test('a statement is prepared when it is asked for the second time, and answers the same', async () => {
  const ask = async (n: number) => (await pool.query('select $1::integer + 1 as n', [n])).rows
  expect(await ask(1)).toEqual([{ n: 2 }])
  expect(await prepared()).toEqual([])
  expect(await ask(2)).toEqual([{ n: 3 }])
  expect(await ask(3)).toEqual([{ n: 4 }])
  expect(await prepared()).toEqual(['select $1::integer + 1 as n'])
})

test('a statement that could not be prepared behind a failure is prepared later', async () => {
  const client = await pool.connect()
  const ask = () => client.query('select $1::text as word', ['said'])
  await ask()
  const failing = client.query('begin; select 1 / 0')
  const behind = ask()
  await expect(failing).rejects.toThrow('division by zero')
  await expect(behind).rejects.toThrow('current transaction is aborted')
  await client.query('rollback')
  expect((await ask()).rows).toEqual([{ word: 'said' }])
  expect((await ask()).rows).toEqual([{ word: 'said' }])
  client.release()
  expect(await prepared()).toContain('select $1::text as word')
})

test('what is asked at once is answered in its order, prepared or not', async () => {
  const client = await pool.connect()
  const asked = Array.from({ length: 20 }, (_, n) =>
    client.query(n % 2 === 0 ? 'select $1::integer as n' : `select $1::integer as n, ${n}`, [n]),
  )
  expect((await Promise.all(asked)).map(({ rows }) => rows[0].n)).toEqual(
    Array.from({ length: 20 }, (_, n) => n),
  )
  client.release()
})

test('of texts without an end only so many are kept', async () => {
  for (let n = 0; n < 600; n++)
    for (let time = 0; time < 2; time++) await pool.query(`select $1::text, ${n}`, ['x'])
  expect((await prepared()).length).toBeLessThanOrEqual(256)
})

test('that a transaction begins is not waited for; what is asked in it belongs to it', async () => {
  const how = { pipeline: true, Client: await beginningClient() }
  const queue = await openPool(database.url, 1, undefined, how)
  const client = await queue.connect()
  try {
    await client.query('create temporary table things (n integer)')
    let hasHeard = false
    const stream = (client as unknown as { connection: { stream: Socket } }).connection.stream
    stream.once('data', () => {
      hasHeard = true
    })
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    expect(hasHeard).toBe(false)
    const { rowCount } = await client.query('insert into things values ($1)', [1])
    expect(rowCount).toBe(1)
    await client.query('ROLLBACK')
    expect((await client.query('select n from things')).rows).toEqual([])
  } finally {
    client.release()
    await queue.end()
  }
})

test('where a transaction did not begin, what is asked first in it fails', async () => {
  const how = { pipeline: true, Client: await beginningClient() }
  const queue = await openPool(database.url, 1, undefined, how)
  const client = await queue.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL NONE')
    await expect(client.query('select $1::integer as n', [1])).rejects.toThrow('syntax error')
    await client.query('ROLLBACK')
    expect((await client.query('select $1::integer as n', [1])).rows).toEqual([{ n: 1 }])
  } finally {
    client.release()
    await queue.end()
  }
})
