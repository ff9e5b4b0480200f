import { z } from 'zod'
import { instant } from '#shared/schemas.ts'
import { person } from '#features/tasks/tasks/fields.ts'

export const TaskActivity = z.object({
  id: z.number().int(),
  type: z.number().int(),
  created_by: person.nullable(),
  created_at: instant,
  due_date: z.string().nullable(),
  comment: z.string().nullable(),
  status: z.number().int().nullable(),
  assigned_to: person.nullable(),
  /** Previous value of a date that was changed. */
  old_date: z.string().nullable(),
})
export type TaskActivity = z.output<typeof TaskActivity>
