import { generateContracts } from './generate/contracts.ts'
import { generateDocs } from './generate/docs.ts'
import { generateExplanations } from './generate/explain.ts'
import { generateIntegrations } from './generate/integrations.ts'
import { generateOperations, generateTools } from './generate/operations.ts'
import { generateOutputs } from './generate/outputs.ts'
import { generatePlugin } from './generate/plugin.ts'
import { generatePolicyTexts } from './generate/policy.ts'
import { generateRunners } from './generate/runners.ts'
import { generateStore } from './generate/store.ts'
import { generateVectors } from './generate/vectors.ts'
import { finish } from './generate/write.ts'

// The schema of the configuration names the runners.
await generateRunners()
await generateContracts()
generatePolicyTexts()
await generateStore()
generatePlugin()
await generateIntegrations()
await generateOperations()
await generateOutputs()
await generateTools()
await generateExplanations()
await generateVectors()
await generateDocs()
finish()
