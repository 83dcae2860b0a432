/**
 * Serves the operations as tools for agents over standard input and output (Model Context Protocol).
 *
 * Derives at most twelve tools, and one for hooks: one per operation, per group and per row of the table of shared tools. What a person
 * states or executes is left out.
 *
 * May not make decisions: it translates tool calls into inputs, and results into content.
 */
export { type Ending, serve } from './serve.ts'
