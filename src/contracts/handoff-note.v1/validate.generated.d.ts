import type { Validate } from '../../contract/index.ts'
export declare const validate: Validate
