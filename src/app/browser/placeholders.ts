/** Addresses of the specification whose area is not built yet: each shows one page that says so (docs/spec-gaps.md). */
export const placeholders: Readonly<Record<string, readonly (readonly [path: string, name: string])[]>> = {
  Users: [
    ['/users', 'Users'],
    ['/users/banned', 'Banned users'],
    ['/users/log', 'Login log'],
    ['/users/admin-log', 'Admin user log'],
    ['/users/master', 'Master Users'],
    ['/users/master/add', 'Add a master user'],
  ],
  Notifications: [
    ['/notifications', 'Notifications'],
    ['/notifications/new', 'Send a notification'],
    ['/notifications/update-notification/$notification', 'Update a notification'],
  ],
  Support: [
    ['/support', 'Support tickets'],
    ['/support/generate', 'Generate a ticket'],
    ['/support/ticket/$ticket/$org_id', 'Ticket'],
    ['/support-requests', 'Support requests'],
    ['/support-requests/create', 'New support request'],
    ['/support-requests/request/$request/$org_id', 'Support request'],
  ],
  'Admin users': [['/admin-users', 'Admin users']],
  'The scheduling-widget setting': [['/calendly-widget-settings', 'Scheduling widget']],
  'Customer view': [['/customer-view', 'Customer view']],
}
