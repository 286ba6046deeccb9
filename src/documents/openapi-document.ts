import type { createDocument } from 'zod-openapi'

export type OpenapiDocument = ReturnType<typeof createDocument>
