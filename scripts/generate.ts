import { generateContracts } from './generate/contracts.ts'
import { generateOperations } from './generate/operations.ts'

await generateContracts()
await generateOperations()
