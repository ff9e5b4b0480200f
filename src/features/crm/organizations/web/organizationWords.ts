import { wallTime } from '#shared/zones.ts'
import { organizationStatuses } from '#features/crm/organizations/fields.ts'
import { organizationTones } from '#features/crm/organizations/rules.ts'
import { slugOf } from '#web/slug.ts'

export const statusChoices = ([1, 2, 3, 4] as const).map((id) => ({
  id,
  name: organizationStatuses[id],
  tone: organizationTones[id],
}))

export const detailAddress = ({
  organization_id,
  name,
  user_id,
  user_name,
}: {
  organization_id: number
  name: string
  user_id: number
  user_name: string
}) => `/organizations/detail/${slugOf(user_name || name)}/${user_id}/${organization_id}`
export const documentAddress = ({ organization_id, name }: { organization_id: number; name: string }) =>
  `/organizations/document/${slugOf(name)}/${organization_id}`

/** Returns the current wall-clock time in a time zone. */
export const clockIn = (timezone: string) => wallTime(new Date(), timezone)
