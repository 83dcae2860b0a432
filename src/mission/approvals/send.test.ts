import { beforeAll, describe, expect, test } from 'vitest'
import { answering, delivering, hook } from '../../../test/delivering.ts'
import { TENANT } from '../../../test/write-backs.ts'
import { APPLICATION } from '../../store/index.ts'
import { idempotencyKey } from './send.ts'

const on = delivering()

test('a proposal goes where its action type goes, and another where everything else goes', async () => {
  const [own, rest] = [await on.listen(answering(200)), await on.listen(answering(200))]
  const writebacks = {
    ...hook(rest.url),
    lead_stage_update: { webhook: own.url, secret: 'HOOK_SECRET' },
  }
  await on.tryAt(await on.approve(), 1, { writebacks })
  await on.tryAt(await on.approve({ proposal: { action_type: 'constructor' } }), 1, { writebacks })
  expect([own.received.length, rest.received.length]).toEqual([1, 1])
  const which = await on.approve()
  await on.tryAt(which, 1, { writebacks: {} })
  expect((await on.deliveryOf(which)).outcome?.code).toBe('writeback/not-configured')
})

test('keys of proposals are headers, and no two of them are the same', () => {
  const names = [
    'a',
    'a/b',
    'a.b',
    'a%2Eb',
    'a%2fb',
    '\u00e9',
    'a\nb',
    'x'.repeat(500),
    'x'.repeat(501),
  ]
  const keys = ['acme', 'other'].flatMap(tenant =>
    names.flatMap(mission => names.map(proposal => idempotencyKey({ tenant, mission, proposal }))),
  )
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(key).toMatch(/^[\x21-\x2d\x2f-\x7e]{1,200}$/)
})

describe('a function of the database', () => {
  beforeAll(async () => {
    await on.there.owner.client.query(`
      create schema crm;
      grant usage on schema crm to ${APPLICATION};
      create table crm.calls (key text, proposal jsonb, role text, tenant text);
      grant insert on crm.calls to ${APPLICATION};
      create function crm.apply(proposal jsonb, key text) returns void language sql as
        $$insert into crm.calls values (key, proposal, current_user, current_setting('waybill.tenant'))$$;
      create function crm.raise(proposal jsonb, key text) returns void language plpgsql as
        $$begin
          insert into crm.calls values (key, proposal, 'rolled back', '');
          raise exception 'hunter2' using errcode = proposal ->> 'target_entity_id';
        end$$;
      create table crm.limits (key text, longest text);
      grant insert on crm.limits to ${APPLICATION};
      create function crm.note(proposal jsonb, key text) returns void language sql as
        $$insert into crm.limits values (key, current_setting('statement_timeout'))$$;
      create schema closed;
      create function closed.apply(jsonb, text) returns void language sql as 'select'`)
  })
  const calling = (name: string) => ({ writebacks: { '*': { function: name } } })

  test('is called with the proposal and its key, by the role of the application', async () => {
    const which = await on.approve()
    await on.tryAt(which, 1, calling('crm.apply'))
    const found = await on.proposalOf(which)
    expect(await on.there.owner.rows(undefined, 'select * from crm.calls')).toEqual([
      {
        ...{ key: `acme/${which.mission}/wb_001`, proposal: found.payload },
        ...{ role: APPLICATION, tenant: TENANT },
      },
    ])
    expect(found.delivery).toMatchObject({
      state: 'delivered',
      outcome: { message: 'the function returned' },
    })
  })

  test('has half a minute, after which the server ends it', async () => {
    const which = await on.approve()
    await on.tryAt(which, 1, calling('crm.note'))
    expect(await on.there.owner.rows(undefined, 'select * from crm.limits')).toEqual([
      { key: `acme/${which.mission}/wb_001`, longest: '30s' },
    ])
  })

  test.each([
    ['P0001', 'failed'],
    ['22023', 'failed'],
    ['23514', 'failed'],
    ['55P03', 'pending'],
    ['53200', 'pending'],
    ['57014', 'pending'],
    ['42501', 'pending'],
  ])('that raises %s is %s, and what it says is not repeated', async (state, expected) => {
    const which = await on.approve({ proposal: { target_entity_id: state } })
    await on.tryAt(which, 1, calling('crm.raise'))
    const delivery = await on.deliveryOf(which)
    expect(delivery.state).toBe(expected)
    if (state !== '53200') expect(delivery.outcome?.message).toBe(`the function raised ${state}`)
    expect(JSON.stringify([delivery, await on.outcomesOf(which)])).not.toContain('hunter2')
    const rolledBack = "select 1 from crm.calls where role = 'rolled back'"
    expect(await on.there.owner.rows(undefined, rolledBack)).toEqual([])
  })

  test.each([
    ['is not there', 'crm.nothing', 'writeback/unavailable'],
    ['may not be called', 'closed.apply', 'writeback/unavailable'],
    ['is ours', 'waybill.erase', 'writeback/not-configured'],
    ['is that of the server', 'pg_catalog.jsonb_pretty', 'writeback/not-configured'],
    ['is that of the queue', 'dbos.enqueue_workflow', 'writeback/not-configured'],
    ['is no name', 'crm.apply(); drop table crm.calls; --', 'writeback/not-configured'],
    ['is half a name', 'apply', 'writeback/not-configured'],
  ])('that %s is tried again later', async (_, name, code) => {
    const which = await on.approve()
    await on.tryAt(which, 1, calling(name))
    expect(await on.deliveryOf(which)).toMatchObject({ state: 'pending', outcome: { code } })
    expect(
      await on.there.owner.rows(undefined, 'select 1 as one from crm.calls limit 1'),
    ).toHaveLength(1)
  })
})
