import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { mayCreateTicketFor, newTicketAddress } from '#shared/new-ticket.ts'
import { users, type UserDetail } from '#features/crm/users/contract.ts'
import { userParents } from '#features/crm/users/web/userAddress.ts'
import { UserState } from '#features/crm/users/web/userCells.tsx'
import { useUserChange } from '#features/crm/users/web/userChange.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useMay } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { LocalTime } from '#web/LocalTime.tsx'
import { logAndToast } from '#web/message/failures.ts'
import { TextLink } from '#web/parts/controls.tsx'
import { MenuItem } from '#web/parts/Menu.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { useRemove } from '#web/record/useRemove.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'

const UserForm = lazyPart(() => import('#features/crm/users/web/UserForm.tsx'))
const BanForm = lazyPart(() => import('#features/crm/users/web/BanForm.tsx'))

const prefetchUser = (id: number) => void prefetch(queryOptionsFor(users.show, { params: { id } }))

/** Heading of a user's page: status, role, organization, and local time, with the page's actions. */
export function UserHead({ user }: { user: UserDetail }) {
  const [open, setOpen] = useState<'form' | 'ban'>()
  const navigate = useNavigate()
  const params = { id: user.id }
  const mayEdit = useMay(users.update, { body: params })
  const mayBan = useMay(users.ban, { params, body: { reason: '' } }) && user.banned_at === null
  const mayTicket = mayCreateTicketFor(useViewer())
  const { mayRemove, remove } = useRemove('customer_user', {
    onDone: useBackToList('/users'),
  })
  const toTicket = newTicketAddress(user.organization_id, user.id)
  usePageKeys({
    ...(mayTicket && { t: () => void navigate({ to: toTicket }) }),
    ...(mayBan && { b: () => setOpen('ban') }),
  })
  const close = () => setOpen(undefined)
  return (
    <>
      <RecordHeader
        type="customer_user"
        id={user.id}
        title={user.name}
        parents={userParents}
        prefetch={prefetchUser}
        avatar={<Initials name={user.name} size={40} />}
        chips={<Chips user={user} may={mayEdit} />}
      >
        {mayTicket && (
          <TextLink to={toTicket} icon={<IconLifebuoy size={14} stroke={1.5} aria-hidden />}>
            New ticket
          </TextLink>
        )}
        {mayBan && (
          <Button
            size="xs"
            variant="default"
            title="Ban this user (b)"
            leftSection={<IconBan size={14} stroke={1.5} aria-hidden />}
            onClick={() => setOpen('ban')}
          >
            Ban
          </Button>
        )}
        {(mayEdit || mayRemove) && (
          <MoreMenu>
            {mayEdit && (
              <MenuItem
                icon={<IconPencil size={14} stroke={1.5} aria-hidden />}
                onClick={() => setOpen('form')}
              >
                Edit user
              </MenuItem>
            )}
            {mayRemove && (
              <MenuItem
                icon={<IconTrash size={14} stroke={1.5} aria-hidden />}
                onClick={() => remove([user.id])}
              >
                Move to trash
              </MenuItem>
            )}
          </MoreMenu>
        )}
      </RecordHeader>
      <Suspense>
        {open === 'form' && <UserForm user={user} onClose={close} />}
        {open === 'ban' && <BanForm user={user} onClose={close} />}
      </Suspense>
    </>
  )
}

const statuses = [
  { id: 1, name: 'Active', tone: 'green' },
  { id: 0, name: 'Inactive', tone: 'gray' },
]

function Chips({ user, may }: { user: UserDetail; may: boolean }) {
  const { customer_roles } = useLists('customer_roles')
  const { send } = useUserChange()
  const save = (values: { status?: 0 | 1; role_id?: number }) =>
    void send({ body: { id: user.id, ...values } }).catch(logAndToast)
  return (
    <>
      {user.banned_at === null ? (
        <ChoiceCell
          label={`Status of ${user.name}`}
          options={statuses}
          value={user.status}
          may={may}
          onChoose={(status) => save({ status: status as 0 | 1 })}
        />
      ) : (
        <UserState user={user} />
      )}
      <ChoiceCell
        label={`Role of ${user.name}`}
        options={customer_roles}
        value={user.role_id}
        may={may}
        onChoose={(role_id) => save({ role_id })}
      />
      {user.is_master && <Tone tone="gray">Master user</Tone>}
      <RecordLink type="organization" id={user.organization_id} name={user.organization} />
      <LocalTime zone={user.timezone} />
    </>
  )
}
