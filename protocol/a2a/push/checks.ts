import * as z from 'zod'
import type { ProtocolMethod, Version } from '#protocol/a2a/names.ts'
import { illFormed } from '#src/core/input/walk.ts'

const text = z.string().refine((value) => value.isWellFormed(), illFormed)
const optional = text.nullish()
const id = text.min(1).max(256)
/** A config's id is also stored in an index. */
const configId = text.max(128)

const common = {
  id: configId.nullish(),
  url: text.min(1).max(2000),
  token: text.max(1024).nullish(),
}

/** The notification config in a message, and in the params that set one, in 1.0. */
export const InlineConfig = z.looseObject({
  ...common,
  authentication: z
    .looseObject({ scheme: text.min(1).max(64), credentials: text.max(4096).nullish() })
    .nullish(),
})

/** The same in 0.3, which lists schemes, of which the first is used. */
export const InlineConfig03 = z.looseObject({
  ...common,
  authentication: z
    .looseObject({
      schemes: z.array(text.min(1).max(64)).max(16),
      credentials: text.max(4096).nullish(),
    })
    .nullish(),
})

const OneConfig = z.looseObject({ tenant: optional, taskId: id, id: configId.min(1) })
const OneConfig03 = z.looseObject({ id, pushNotificationConfigId: configId.min(1) })

type Checks = Partial<Record<ProtocolMethod, z.ZodType>>

/** The checks of the params of the methods for notification configs. */
export const pushChecks: Readonly<Record<Version, Checks>> = {
  '1.0': {
    CreateTaskPushNotificationConfig: InlineConfig.extend({ tenant: optional, taskId: id }),
    GetTaskPushNotificationConfig: OneConfig,
    ListTaskPushNotificationConfigs: z.looseObject({
      tenant: optional,
      taskId: id,
      pageSize: z.int().min(0).max(100).nullish(),
      pageToken: text.max(1024).nullish(),
    }),
    DeleteTaskPushNotificationConfig: OneConfig,
  },
  '0.3': {
    CreateTaskPushNotificationConfig: z.looseObject({
      taskId: id,
      pushNotificationConfig: InlineConfig03,
    }),
    // Without an id it means the one that was set without an id.
    GetTaskPushNotificationConfig: OneConfig03.extend({
      pushNotificationConfigId: configId.nullish(),
    }),
    ListTaskPushNotificationConfigs: z.looseObject({ id }),
    DeleteTaskPushNotificationConfig: OneConfig03,
  },
}
