import * as z from 'zod'
import { marked, marks } from '#src/core/text/untrusted.ts'
import { titleOf } from '#src/agents/tasks/title.ts'
import { isOffered, orderAddress } from './offer.ts'
import type { ShownPrice } from './prices/shown-prices.ts'
import type { TaskFormSchema } from '#src/agents/tasks/form.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

const text = z.string().nullable()

const PublicForm = z
  .object({
    fields: z.array(
      z.object({
        key: z.string(),
        label: text,
        placeholder: text,
        type: z.string(),
        required: z.boolean(),
        options: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'PublicForm' })

export const PublicTask = z
  .object({
    task_id: z.string(),
    title: z.string().describe('Its public_title, else its name.'),
    description: text,
    enabled: z.boolean(),
    service_enabled: z.boolean().describe('It can be ordered.'),
    cta_label: text,
    price_cents: z.int().nullable(),
    currency: text.describe('Of price_cents; null where it is free, or not known now.'),
    form_schema: PublicForm.nullable(),
    rating_summary: z.object({ average: z.number(), count: z.int() }).nullable(),
    order: z
      .string()
      .optional()
      .describe('Where orders.create orders it; absent while it cannot be ordered.'),
    ...marks,
  })
  .meta({ id: 'PublicTask' })
/** A task that an agent offers, as everyone may read it: how it is carried out is never shown. */
export type PublicTask = z.infer<typeof PublicTask>

/** The members that do not come from the task itself. */
export interface OfferFrame {
  price: ShownPrice
  publicUrl: string
}

/** The members that everyone may read, and no others. */
export function publicOffer(task: StoredTask, { price, publicUrl }: OfferFrame): PublicTask {
  const { task_id, description, enabled, service_enabled } = task
  const { cta_label, form_schema, rating_summary } = task
  return {
    task_id,
    title: titleOf(task),
    description,
    enabled,
    service_enabled,
    cta_label,
    ...price,
    form_schema: form_schema && shownForm(form_schema),
    rating_summary: rating_summary && {
      average: rating_summary.average,
      count: rating_summary.count,
    },
    ...(isOffered(task) && { order: orderAddress(publicUrl, task) }),
    ...marked({ kind: 'profile', char_id: task.char_id }),
  }
}

function shownForm({ fields }: TaskFormSchema): z.infer<typeof PublicForm> {
  return {
    fields: fields.map(({ key, label, placeholder, type, required, options }) => {
      return { key, label, placeholder, type, required, options }
    }),
  }
}
