import * as z from 'zod'
import { forbiddenName } from '#src/core/input/walk.ts'
import { optionalText, partsAtMost, texts } from '#src/core/schema-parts.ts'

export const TaskFormField = z
  .looseObject({
    key: z.string().refine((key) => key !== '__proto__', forbiddenName),
    label: optionalText,
    placeholder: optionalText,
    type: z.string().default('text'),
    required: z.boolean().default(false),
    options: texts,
  })
  .meta({ id: 'TaskFormField' })

export const TaskFormSchema = z
  .looseObject({ fields: z.array(TaskFormField).max(partsAtMost).default([]) })
  .meta({ id: 'TaskFormSchema' })
/** The form that a buyer fills in to order a task that is offered as a service. */
export type TaskFormSchema = z.infer<typeof TaskFormSchema>

export const RatingSummary = z
  .looseObject({
    average: z.number().min(0).max(5).default(0),
    count: z.int().min(0).default(0),
  })
  .meta({ id: 'RatingSummary' })
/** How those who paid for a task rated it; counted here, never sent. */
export type RatingSummary = z.infer<typeof RatingSummary>
