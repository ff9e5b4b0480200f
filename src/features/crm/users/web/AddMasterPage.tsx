import { useDeferredValue, useState } from 'react'
import { Alert, Button, NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { users } from '#features/crm/users/contract.ts'
import { updateOrgUser } from '#features/crm/users/web/updateOrgUser.ts'
import classes from '#features/crm/users/web/users.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { toast } from '#web/message/toast.ts'
import { countText } from '#web/time.ts'

const parents = [
  ['/users', 'Users'],
  ['/users/master', 'Master Users'],
] as const

/** Page for making a user the master user of their organization. */
export function AddMasterPage() {
  const navigate = useNavigate()
  const may = useMay(users.updateOrgUser, { body: { id: 1 } })
  const [organization, setOrganization] = useState('')
  const [user, setUser] = useState('')
  const [failure, setFailure] = useState<string>()
  const [saving, setSaving] = useState(false)
  const [search, setSearch] = useState('')
  const { others, part } = useCandidates(may, organization, search)
  const chosen = others.some(({ id }) => String(id) === user) ? user : ''

  async function save(): Promise<void> {
    setSaving(true)
    const reply = await updateOrgUser({ id: Number(chosen), is_master: true })
    setSaving(false)
    // The selection is kept.
    if (!reply.success) return setFailure(reply.error)
    toast.success('Master user added.')
    void navigate({ to: '/users/master' })
  }

  return (
    <>
      <PageHeader parents={parents} />
      {!may && <NoAccess />}
      {may && (
        <form
          className={classes.notes}
          aria-label="Add master user"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <OrganizationChoice
            label="Organization"
            value={organization}
            onChange={(id) => {
              setOrganization(id)
              setUser('')
              setSearch('')
            }}
          />
          {(part || search !== '') && (
            <TextInput
              type="search"
              label="Search users"
              description={part && firstOf(part)}
              value={search}
              maxLength={200}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          <NativeSelect
            label="User"
            value={chosen}
            disabled={organization === ''}
            data={[
              { value: '', label: 'Choose…' },
              ...others.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={(event) => setUser(event.currentTarget.value)}
          />
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <div>
            <Button type="submit" loading={saving} disabled={chosen === ''}>
              Add master user
            </Button>
          </div>
        </form>
      )}
    </>
  )
}

const firstOf = ({ per_page, total }: { per_page: number; total: number }) =>
  `Showing the first ${per_page} of ${countText(total)} users. Search to find others.`

/** Returns the organization's users who aren't its master users, and the page of users if there are more. */
function useCandidates(may: boolean, organization: string, search: string) {
  const { data: found } = useQuery({
    ...queryOptionsFor(users.list, {
      query: {
        organization: Number(organization) || 1,
        search: useDeferredValue(search),
        column: 'name',
        direction: 'asc',
      },
    }),
    enabled: may && organization !== '',
    placeholderData: keepPreviousData,
  })
  const others =
    organization === ''
      ? []
      : (found?.data ?? []).filter(
          ({ organization_id, is_master }) => organization_id === Number(organization) && !is_master,
        )
  const isPart = organization !== '' && found !== undefined && found.total > found.per_page
  return { others, part: isPart ? found : undefined }
}
