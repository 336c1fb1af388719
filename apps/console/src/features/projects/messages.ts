/** Texts of spec §2, §5 and §8. */
export const MESSAGES = {
  list: { title: 'Projects', description: 'Group the applications that belong together' },
  newProject: 'New Project',
  createTile: 'Create New Project',
  empty: {
    title: 'No projects yet',
    text: 'A project holds the applications that belong together. Create one, then deploy into it.',
  },
  nothingFound: 'No project matches',
  deployApp: 'Deploy App',
  emptyProject: {
    title: 'Nothing deployed yet',
    text: 'Deploy an application from a git repository or a container image.',
  },
  noAppFound: 'No application matches',
  notFoundById: 'Project not found by ID',
  idNotFound: 'Project ID not found',
  backToProjects: 'Projects',
  createFailed: 'Failed to create project',
  renameFailed: 'Failed to rename project',
  invalidInput: 'Invalid input',
  userIdMissing: 'User ID missing, please sign in again',
  deleteBlocked: { title: 'Cannot delete resource', text: 'Please check dependencies first.' },
  deleteFailed: { title: 'Failed to delete resource', text: 'Something went wrong' },
  deleteError: 'Error deleting resource',
} as const;
