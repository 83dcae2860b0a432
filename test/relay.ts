import { createConnection, createServer, type Socket } from 'node:net'

/** A wire between a program and a server that a test can cut. */
export interface Relay {
  /** The address of the server by way of the relay. */
  readonly url: string
  /** Ends every connection, as a network or a server that goes away does. */
  cut(): void
  /** Refuses new connections until it is opened again. */
  close(): Promise<void>
  open(): Promise<void>
  /** Cuts as soon as a statement has been passed on, before its answer comes back. */
  cutAfter(statement: string): void
  /** Passes answers on so many milliseconds later. */
  slow(milliseconds: number): void
  /** Passes nothing on any more, without a notice. */
  hold(): void
  /** The same as soon as a statement has been passed on. */
  holdAfter(statement: string): void
  /** Passes on again, with what was held back. */
  release(): void
  end(): Promise<void>
}

/** Opens a relay before the server of a database. */
export async function openRelay(database: string): Promise<Relay> {
  const server = new URL(database)
  const sockets = new Set<Socket>()
  let awaited: { readonly statement: string; act(near: Socket): void } | undefined
  let lateness = 0
  let isHeld = false
  const held: (() => void)[] = []
  const relay = createServer(near => {
    const far = createConnection(Number(server.port), server.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      if (isHeld) socket.pause()
      // The other end tells it.
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    far.on('data', data => {
      const pass = () => {
        if (isHeld) held.push(pass)
        else if (!near.destroyed) near.write(data)
      }
      if (lateness === 0) pass()
      else setTimeout(pass, lateness)
    })
    near.on('data', data => {
      const found = awaited && data.includes(awaited.statement) ? awaited : undefined
      if (found) awaited = undefined
      far.write(data, () => found?.act(near))
    })
  })
  const listen = (port: number) =>
    new Promise<number>(resolve =>
      relay.listen(port, '127.0.0.1', () => resolve((relay.address() as { port: number }).port)),
    )
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const hold = () => {
    isHeld = true
    for (const socket of sockets) socket.pause()
  }
  const close = () =>
    new Promise<void>(resolve => {
      relay.close(() => resolve())
      cut()
    })
  const port = await listen(0)
  const url = Object.assign(new URL(database), { hostname: '127.0.0.1', port: String(port) })
  return {
    url: url.href,
    cut,
    close,
    open: async () => void (await listen(port)),
    cutAfter: statement => {
      awaited = { statement, act: near => near.destroy() }
    },
    slow: milliseconds => {
      lateness = milliseconds
    },
    hold,
    holdAfter: statement => {
      awaited = { statement, act: hold }
    },
    release: () => {
      isHeld = false
      for (const pass of held.splice(0)) pass()
      for (const socket of sockets) socket.resume()
    },
    end: () => (relay.listening ? close() : Promise.resolve()),
  }
}
