"""The symbol graphs that the compiler makes of the modules of a debug build: the public interface, for Scripts/interface and Scripts/docs."""
import glob
import json
import os
import platform
import re
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), '..'))
MODULES = ['Sanderling', 'SanderlingSwiftUI', 'SanderlingSync', 'SanderlingTesting', 'SanderlingDiagnosis']
BUILD = f'{ROOT}/.build/debug'
SQLITE = f'{ROOT}/.build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap'


def fail(text):
    sys.exit(f'{os.path.basename(sys.argv[0])}: {text}')


def swiftc():
    return shutil.which(os.environ.get('SWIFT', 'swift') + 'c') or fail('swiftc was not found in PATH. Install Swift 6.2 or later.')


def tool(name):
    """A program of the toolchain of `swiftc`; on a Mac, Xcode's."""
    if platform.system() == 'Darwin':
        found = subprocess.run(['xcrun', '--find', name], capture_output=True, text=True).stdout.strip()
    else:
        found = os.path.join(os.path.dirname(os.path.realpath(swiftc())), name)
    return found if os.path.exists(found) else fail(f'{name} was not found beside swiftc. Install a complete toolchain of Swift 6.2 or later.')


def extract(modules, folder, built=(), options=()):
    """{module: its symbol graphs, those of its extensions of other modules' types included}

    Writes them to files of the folder. Looks for modules in the folders of `built` before those of the build."""
    if not os.path.exists(f'{BUILD}/Modules/SanderlingTesting.swiftmodule'):
        fail("there are no modules in .build/debug. Run 'SANDERLING_TOOLS=1 swift build' first.")
    target = json.loads(subprocess.run([swiftc(), '-print-target-info'], capture_output=True, text=True, check=True).stdout)
    search = [*built, f'{BUILD}/Modules', *target['paths']['runtimeLibraryImportPaths']]
    arguments = [tool('swift-symbolgraph-extract'), '-target', target['target']['triple'], '-minimum-access-level', 'public',
                 '-skip-synthesized-members', '-Xcc', f'-fmodule-map-file={SQLITE}', *options]
    if platform.system() == 'Darwin':
        arguments += ['-sdk', subprocess.run(['xcrun', '--show-sdk-path'], capture_output=True, text=True, check=True).stdout.strip()]
    graphs = {}
    for module in modules:
        subprocess.run(
            [*arguments, '-module-name', module, '-output-dir', folder, *(part for path in search for part in ('-I', path))],
            check=True, stdout=subprocess.DEVNULL)
        graphs[module] = []
        for file in sorted(glob.glob(f'{folder}/{module}.symbols.json') + glob.glob(f'{folder}/{module}@*.symbols.json')):
            with open(file) as stream:
                graphs[module].append(json.load(stream))
    return graphs


def kind(symbol):
    return symbol['kind']['identifier'].split('.')[-1]


def is_hidden(path):
    return any(re.search(r'(^|[(:])_\w', part) for part in path)


def declaration(symbol):
    text = ''.join(fragment['spelling'] for fragment in symbol['declarationFragments'])
    text = re.sub(r'\s+', ' ', text).strip()
    # Which names a macro makes is said where it is declared.
    return re.sub(r'^(@attached\((\w+).*?\) )+(?=macro)', '', text)
