/**
 * The operations as tools for agents, over standard input and output (Model Context Protocol).
 *
 * Tools are derived, twelve at most: one for each operation, for each group and for each row of the table of shared
 * tools, but for what a person states or has executed.
 *
 * May not contain a decision: it translates tool calls into inputs, and results into content.
 */
export { type Ending, serve } from './serve.ts'
