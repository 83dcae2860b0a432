import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

/** A server of the same library with one tool that does nothing: the minimal cost of a start. */
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.registerTool('nothing', { description: 'Does nothing.' }, () => ({ content: [] }))
  return server
})
