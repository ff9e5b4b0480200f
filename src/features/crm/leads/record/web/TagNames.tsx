import { entryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'

export function TagNames({ ids }: { ids: readonly number[] }) {
  const { tags } = useLeadOptions()
  const names = ids.map((id) => entryById(tags, id).name).join(', ')
  return <span title={names}>{names}</span>
}
