import { useQuery } from '@tanstack/react-query'
import { mails } from '#shared/mails.ts'
import type { UserDetail } from '#features/crm/users/contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { BanNotice } from '#features/crm/users/web/BanNotice.tsx'
import { OtherUsers } from '#features/crm/users/web/OtherUsers.tsx'
import { UserFacts } from '#features/crm/users/web/UserFacts.tsx'
import { UserHead } from '#features/crm/users/web/UserHead.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { entryOfMail } from '#web/mail/mailEntry.tsx'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { Gone } from '#web/record/Gone.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { Sheet } from '#web/sheet/Sheet.tsx'
import { Story } from '#web/sheet/Story.tsx'
import { RecordPanels } from '#web/shell/recordPanels.tsx'

/** The sheet of a customer user. */
const UserSheet = ({ user, error }: { user: UserDetail; error: Error | null }) => (
  <Sheet
    head={<UserHead user={user} />}
    notice={
      <>
        <Gone type="customer_user" id={user.id} error={error} />
        {user.banned_at !== null && <BanNotice user={user} banned_at={user.banned_at} />}
      </>
    }
    facts={<UserFacts user={user} />}
    rail={
      <>
        <RecordPanels type="customer_user" id={user.id} />
        <OtherUsers user={user} />
      </>
    }
    summary={
      <span>
        {[user.phone, user.email].filter(Boolean).join(' · ') || 'No phone number or email address'}
      </span>
    }
  >
    <Story>
      <UserTimeline user={user} />
    </Story>
  </Sheet>
)
export default UserSheet

function UserTimeline({ user }: { user: UserDetail }) {
  const { customer_roles } = useLists('customer_roles')
  const sent = useQuery(queryOptionsFor(mails.ofRecord, { params: { type: 'customer_user', id: user.id } }))
  return (
    <Timeline
      type="customer_user"
      id={user.id}
      fields={withWords(userFields, { role_id: byId(customer_roles) })}
      more={(sent.data?.data ?? []).map(entryOfMail)}
      email={{}}
      isTitleHidden
    />
  )
}
