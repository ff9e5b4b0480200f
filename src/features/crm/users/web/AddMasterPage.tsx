import { useState } from 'react'
import { Alert, Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { organizations } from '#features/crm/organizations/contract.ts'
import { users } from '#features/crm/users/contract.ts'
import { updateOrgUser } from '#features/crm/users/web/updateOrgUser.ts'
import classes from '#features/crm/users/web/users.module.css'
import { ask } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { useMay } from '#web/api/useSend.ts'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { toast } from '#web/shell/toast.ts'

const parents = [
  ['/users', 'Users'],
  ['/users/master', 'Master Users'],
] as const

/** Makes a user of an organization its master user. */
export function AddMasterPage() {
  const navigate = useNavigate()
  const may = useMay(users.updateOrgUser, { body: { id: 1 } })
  const offered = useQuery(ask(organizations.commonAll)).data?.data ?? []
  const [organization, setOrganization] = useState('')
  const [user, setUser] = useState('')
  const [failure, setFailure] = useState<string>()
  const [saving, setSaving] = useState(false)
  const found = useQuery({ ...ask(users.list, { query: { organization: Number(organization) || 1 } }), enabled: may && organization !== '' }).data
  const others = organization === '' ? [] : (found?.data ?? []).filter(({ is_master }) => !is_master)

  async function save(): Promise<void> {
    setSaving(true)
    const reply = await updateOrgUser({ id: Number(user), is_master: true })
    setSaving(false)
    // What was chosen stays.
    if (!reply.success) return setFailure(reply.error)
    toast.success('The user is a master user now.')
    void queries.invalidateQueries({ queryKey: [users.masters.path] })
    void navigate({ to: '/users/master' })
  }

  return (
    <>
      <PageHeader parents={parents} />
      {may && (
        <form
          className={classes.notes}
          aria-label="Add a master user"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <NativeSelect
            label="Organization"
            value={organization}
            data={[{ value: '', label: 'Choose…' }, ...offered.map(({ id, name }) => ({ value: String(id), label: name }))]}
            onChange={(event) => {
              setOrganization(event.currentTarget.value)
              setUser('')
            }}
          />
          <NativeSelect
            label="User"
            value={user}
            disabled={organization === ''}
            data={[{ value: '', label: 'Choose…' }, ...others.map(({ id, name }) => ({ value: String(id), label: name }))]}
            onChange={(event) => setUser(event.currentTarget.value)}
          />
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <div>
            <Button type="submit" loading={saving} disabled={user === ''}>
              Make them a master user
            </Button>
          </div>
        </form>
      )}
    </>
  )
}
