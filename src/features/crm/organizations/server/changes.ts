import { organizations } from '#features/crm/organizations/contract.ts'
import {
  organizationReads,
  organizationKind,
} from '#features/crm/organizations/server/organizations.queries.ts'
import type { WriteContext } from '#server/app.ts'
import { changeRecord } from '#server/record/record.ts'

export type Writing = Pick<
  WriteContext<typeof organizations.update>,
  'db' | 'viewer' | 'clock' | 'called' | 'audit' | 'changed' | 'enqueue' | 'afterCommit'
>

/** Changes an organization and returns the answer to the request. */
export const changeOrganization = async (
  context: Writing,
  id: number,
  values: Record<string, unknown>,
  message: string,
  summary?: string,
  stated = {},
) => {
  const current = () => organizationReads.whole(context.db, id, context.viewer)
  const { operation } = await changeRecord(context, organizationKind, id, values, {
    stated,
    current,
    ...(summary ? { summary } : {}),
  })
  return { message, data: await current(), operation }
}
