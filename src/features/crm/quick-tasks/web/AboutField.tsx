import { can, type Permission } from '#shared/access.ts'
import { recordTypes } from '#shared/records.ts'
import type { QuickTask } from '#features/crm/quick-tasks/contract.ts'
import { request } from '#web/api/client.ts'
import { TextField, type Option } from '#web/form/inputs.tsx'
import SearchSelect from '#web/form/SearchSelect.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { useViewer } from '#web/session.ts'

type Entity = NonNullable<QuickTask['entity']>

interface Search {
  right: Permission
  find: (search: string, signal: AbortSignal) => Promise<readonly Option[]>
}

const most = 20
const option = (id: number, label: string): Option => ({ value: String(id), label })

/** Search function for each type of record, with the permission it requires. */
const searches: Record<Entity, Search> = {
  lead: {
    right: 'lead_list',
    find: async (search, signal) => {
      const { leads } = await import('#features/crm/leads/contract.ts')
      const { data } = await request(
        leads.list,
        { query: { search, fromDate: 'all', toDate: 'all' } },
        { signal },
      )
      return data.leads
        .slice(0, most)
        .map(({ lead_id, companyName }) => option(lead_id, `${companyName} (#${lead_id})`))
    },
  },
  organization: {
    right: 'all_organization_list',
    find: async (search, signal) => {
      const { organizations } = await import('#features/crm/organizations/contract.ts')
      const { data } = await request(organizations.list, { query: { search } }, { signal })
      return data
        .slice(0, most)
        .map(({ organization_id, name }) => option(organization_id, `${name} (#${organization_id})`))
    },
  },
  ticket: {
    right: 'all_tickets_list',
    find: async (q, signal) => {
      const { tickets } = await import('#features/crm/support/contract.ts')
      const { data } = await request(tickets.search, { query: { q } }, { signal })
      return data.map(({ id, title }) => option(id, `${title} (#${id})`))
    },
  },
  task: {
    right: 'task_list',
    find: async (search, signal) => {
      const { tasks } = await import('#features/tasks/tasks/contract.ts')
      const { data } = await request(tasks.development.list, { body: { search } }, { signal })
      return data.slice(0, most).map(({ id, title }) => option(id, `${title} (#${id})`))
    },
  },
  designer_task: {
    right: 'designer_task_list',
    find: async (search, signal) => {
      const { tasks } = await import('#features/tasks/tasks/contract.ts')
      const { data } = await request(tasks.designer.list, { body: { search } }, { signal })
      return data.slice(0, most).map(({ id, title }) => option(id, `${title} (#${id})`))
    },
  },
}

/**
 * Field for the record that a quick task is about, searched by name or, if the viewer cannot search, entered
 * as an ID.
 */
export function AboutField<Values extends { entity: string; entity_id: string }>({
  form: { fields },
}: {
  form: DraftForm<Values>
}) {
  const viewer = useViewer()
  const entity = fields.values.entity as Entity | ''
  if (entity === '') return null
  const { right, find } = searches[entity]
  if (!can(viewer, right))
    return (
      <TextField
        form={fields}
        name="entity_id"
        label={`Related ${recordTypes[entity].one} number`}
        maxLength={10}
      />
    )
  const { value, ...input } = fields.getInputProps('entity_id')
  return (
    <SearchSelect
      key={entity}
      label={`Related ${recordTypes[entity].one}`}
      of={recordTypes[entity].one}
      find={find}
      value={String(value)}
      data-path="entity_id"
      {...input}
    />
  )
}
