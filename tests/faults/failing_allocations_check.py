"""Every command while one of its allocations fails, or all from one on: it ends with a message, and damages no file.

Allocations are sampled evenly. DFSWEEP_LONG_TESTS=1 fails each sequence of calls that leads to an allocation: its first, its
middle and its last allocation, where the sequence was not tried in an earlier command. Arguments: PROGRAM LIBRARY FOLDER,
where LIBRARY is failing_allocations.cpp, compiled. DFSWEEP_FAILING_COMMANDS=run,plan in the environment chooses commands."""
import array
import collections
import ctypes
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SAMPLES = 10  # of each command and each way to fail
RECORDING = -1  # no allocation fails; the child writes which calls led to each
ADDR_NO_RANDOMIZE = 0x0040000  # of personality(2)
OUT_OF_MEMORY = {1, 74}
NEVER_SAID = ('terminate called', 'infinite loop closing library', 'pure virtual')

# Libraries whose own code ends the process where their allocations fail, and why that cannot be mended here.
ALLOWED = {
    'libtbb': 'oneTBB looks for an allocator with dlopen() when it starts, and dlopen() of glibc 2.36 crashes where it '
              'cannot allocate the text of its error.',
}
# Libraries through which such an end comes.
PASSING = ('libc.so', 'failing_allocations', 'libgcc_s', 'libstdc++', 'ld-linux', 'linux-vdso')

ROWS = '''[sweep]
name = "rows"
estimator = "hyperparameters"
[parameters]
law = "step-law"
parameters = [1e9, 7e9]
train_tokens = [1e11, 2e11, 4e11]
'''
SEARCH = '''[sweep]
name = "search"
estimator = "training"
[parameters]
model = "llama2-7b"
system = "dgx-h100"
device_count = [8, 16]
tensor_parallel = [1, 2]
global_batch = 64
micro_batch = [1, 2]
[search]
over = ["tensor_parallel", "micro_batch"]
minimize = "step_time"
top = 1
'''
MEASURED = '''model,system,device_count,tensor_parallel,global_batch,step_time
llama2-7b,dgx-h100,16,2,512,26.1 s
llama2-7b,dgx-h100,8,2,512,52.1 s
'''
COMPARED = '''parameters,train_tokens,optimal_learning_rate
1e9,1e11,1e-3
7e9,2e11,1e-3
'''
RUNS = 'lr,bs,N,D,smooth loss\n' + ''.join(
    f'{2e-4 * 2 ** i},{32 * 2 ** j},{n},{d},{2.5 + (i - 2) ** 2 / 100 + (j - 2) ** 2 / 100}\n'
    for n, d in ((1e8, 1e9), (2e8, 4e9), (4e8, 8e9), (8e8, 2e10)) for i in range(5) for j in range(5))
CONFIG = '''{"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "num_hidden_layers": 2,
"intermediate_size": 1024, "vocab_size": 1000, "max_position_embeddings": 128, "num_key_value_heads": 4}'''
MODEL = '{"hidden": 64, "attn_heads": 4, "attn_size": 16, "feedforward": 256, "num_blocks": 2, "seq_size": 32}'
RUN_SETTINGS = ['--threads', '1', '--quiet']


@dataclasses.dataclass
class Command:
    arguments: list
    needs: str = ''           # a run directory of `base` that each trial gets a copy of
    result: str = ''          # a result that the next run completes, compared with this one of `base`
    status: int = 0           # its status where nothing fails
    varies: bool = False      # it prints times


def commands(base):
    at = lambda name: str(base / name)
    run = lambda sweep, out: ['run', at(sweep), '--out', out, *RUN_SETTINGS]
    return {
        'run': Command(run('rows.toml', 'out'), result='done'),
        'resume': Command(run('rows.toml', 'half'), needs='half', result='done'),
        'search': Command(run('search.toml', 'out'), result='searched'),
        'verify_again': Command(run('rows.toml', 'done'), needs='done', result='done'),
        'plan': Command(['plan', at('search.toml')], varies=True),
        'status': Command(['status', at('half')], status=75),
        'verify': Command(['verify', 'done'], needs='done'),
        'publish': Command(['publish', 'half', '--partial'], needs='half'),
        'show': Command(['show', at('searched')]),
        'best': Command(['show', at('done'), '--best', 'loss_excess', '--json']),
        'explain': Command(['explain', at('searched'), '--point', '0']),
        'explain_json': Command(['explain', at('search.toml'), '--point', '0', '--json']),
        'report': Command(['report', at('done'), '-o', 'page.html']),
        'export': Command(['export', at('done'), '-o', 'rows.csv']),
        'compare': Command(['compare', at('done'), at('compared.csv')]),
        'calibrate': Command(['calibrate', at('measured.csv'), '-o', 'overlay', '--threads', '1', '--starts', '1',
                              '--replicates', '0', '--quiet']),
        'fit': Command(['fit', 'steplaw', at('runs.csv'), '-o', 'law.toml', '-o', 'law.h5', '--plots', 'plots',
                        '--replicates', '10', '--threads', '1', '--quiet']),
        'huggingface': Command(['import', 'huggingface', at('config.json'), '--model', 'mine', '-o', 'mine']),
        'calculon': Command(['import', 'calculon', at('model.json'), '-o', 'mine']),
        'measured': Command(['import', 'measured', at('measured.csv'), '-o', 'points.csv']),
        'describe': Command(['describe', 'training']),
        'catalogue': Command(['describe', 'catalogue', '--json']),
        'help': Command(['run', '--help']),
    }


def prepare(program, base):
    for name, text in {'rows.toml': ROWS, 'search.toml': SEARCH, 'measured.csv': MEASURED, 'compared.csv': COMPARED,
                       'runs.csv': RUNS, 'config.json': CONFIG, 'model.json': MODEL}.items():
        (base / name).write_text(text)
    for sweep, out, part in (('rows', 'done', '1/1'), ('rows', 'half', '1/2'), ('search', 'searched', '1/1')):
        subprocess.run([program, 'run', base / f'{sweep}.toml', '--out', base / out, '--part', part, *RUN_SETTINGS],
                       check=True)


def fixed_addresses():
    """The same calls have the same addresses in each command, where the system permits it."""
    ctypes.CDLL(None).personality(ctypes.c_ulong(ADDR_NO_RANDOMIZE))


class Server:
    """The program, waiting to run its main() with failing allocations."""

    def __init__(self, program, library, arguments):
        environment = dict(os.environ, LD_PRELOAD=library, MALLOC_ARENA_MAX='1')
        self.process = subprocess.Popen([program, *arguments], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, preexec_fn=fixed_addresses)

    def ask(self, first, last, folder):
        self.process.stdin.write(f'{first} {last} {folder}\n')
        self.process.stdin.flush()
        status, allocations = self.process.stdout.readline().split()
        return int(status), int(allocations)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


CALL = re.compile(r'\S+\((.*)\) ?\[0x[0-9a-f]+\]')
OF_THE_HEAP = ('malloc', 'calloc', 'realloc', 'free', 'cfree')


def library_of(lines):
    """The library of the innermost call that is no mere passage, or "" where there is none."""
    for line in lines:
        file = os.path.basename(line.partition('(')[0])
        if CALL.fullmatch(line) and not any(part in file for part in PASSING):
            return file.partition('.so')[0]
    return ''


def library_that_ended(said):
    """The library in which a process ended, or "" where it ended by itself. Where it ended inside malloc or free, the heap had
    been damaged before: the library whose allocation failed."""
    ending, _, failing = said.partition('the first allocation failed in\n')
    calls = [line for line in ending.splitlines() if CALL.fullmatch(line)]
    library = library_of(calls)
    passed = calls[:next((i for i, line in enumerate(calls) if library_of([line])), len(calls))]
    in_heap = any(f'({name}+' in line for name in OF_THE_HEAP for line in passed if 'libc.so' in line)
    return library_of(failing.splitlines()) if in_heap else library


def files_of(folder):
    """The contents of the files that a command leaves, without what is never the same twice or a mere lock."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob('*'))
            if path.is_file() and path.name not in ('stdout', 'stderr', 'log.jsonl') and path.suffix != '.lock'}


class Trials:
    def __init__(self, program, library, base, work):
        self.program, self.library, self.base, self.work = program, library, base, work
        self.failures = []
        self.counts = collections.Counter()
        self.stacks = set()  # that were tried

    def fresh_folder(self, command):
        folder = self.work / 'trial'
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if command.needs:
            shutil.copytree(self.base / command.needs, folder / command.needs)
        return folder

    def complain(self, name, first, last, problem):
        self.failures.append(f'{name}, allocation {first} to {last}: {problem}')

    def judge_end(self, name, first, last, status, folder):
        """Whether the command did what it should; complains about ends that are not clean."""
        said = (folder / 'stderr').read_text(errors='replace')
        last_line = said.rstrip().rpartition('\n')[2]
        is_said = os.WIFEXITED(status) and last_line.startswith('dfsweep: out of memory')
        library = library_that_ended(said)
        if library in ALLOWED and not is_said:
            self.counts[f'ended by {library}'] += 1
            return False
        if os.WIFSIGNALED(status):
            self.complain(name, first, last, f'{signal.Signals(os.WTERMSIG(status)).name}: {said[:900]}')
            return False
        code = os.WEXITSTATUS(status)
        is_complete = code == self.sound_code
        self.counts['complete' if is_complete else 'ended with a message'] += 1
        if not is_complete and code not in OUT_OF_MEMORY:
            self.complain(name, first, last, f'status {code}: {said[-300:]}')
        # HDF5 prints what fails while it initialises itself; our message is the last.
        if not is_complete and not last_line.startswith(('dfsweep: ', str(self.base))):
            self.complain(name, first, last, f'status {code} without a message: {said[-300:]}')
        for words in NEVER_SAID:
            if words in said:
                self.complain(name, first, last, f'says {said[-300:]}')
        return is_complete

    def judge_files(self, name, command, first, last, is_complete, folder, sound):
        """Files that a command leaves are complete or absent; files that were there are as before or complete."""
        before = files_of(self.base / command.needs) if command.needs else {}
        before = {f'{command.needs}/{path}': content for path, content in before.items()}
        if is_complete and not command.varies and (folder / 'stdout').read_bytes() != self.reference_output:
            self.complain(name, first, last, 'it seems complete, but another output')
        for path, content in files_of(folder).items():
            is_of_unfinished_run = '.writing-' in path or path.endswith('.new') or 'journal' in path or any(
                part in path for part in ('result.partial.h5', 'result.creating.h5'))
            if not is_of_unfinished_run and content not in (sound.get(path), before.get(path)):
                self.complain(name, first, last, f'{path} is damaged')
        if is_complete and any(path not in files_of(folder) for path in sound):
            self.complain(name, first, last, 'it seems complete, but a file is missing')
        if command.result and not is_complete:
            status, _ = self.server.ask(0, 0, folder)
            result = folder / (command.needs or 'out') / 'result.h5'
            if status != 0 or result.read_bytes() != (self.base / command.result / 'result.h5').read_bytes():
                self.complain(name, first, last, f'the next run: {(folder / "stderr").read_text()[-300:]}')

    def representatives(self, command):
        """The first, the middle and the last allocation of each new sequence of calls."""
        folder = self.fresh_folder(command)
        _, allocations = self.server.ask(RECORDING, RECORDING, folder)
        stacks = array.array('Q')
        with open(folder / 'stacks', 'rb') as file:
            stacks.frombytes(file.read(allocations * stacks.itemsize))
        numbers = collections.defaultdict(list)
        for number, stack in enumerate(stacks, 1):
            if stack not in self.stacks:
                numbers[stack].append(number)
        self.stacks.update(numbers)
        self.counts['sequences of calls'] += len(numbers)
        return sorted({of[i] for of in numbers.values() for i in (0, len(of) // 2, -1)})

    def run(self, name, command, is_long):
        self.server = Server(self.program, self.library, command.arguments)
        folder = self.fresh_folder(command)
        status, allocations = self.server.ask(0, 0, folder)
        self.sound_code = os.WEXITSTATUS(status)
        if self.sound_code != command.status:
            sys.exit(f'{name} ends with {self.sound_code} without a failing allocation: {(folder / "stderr").read_text()}')
        self.reference_output = (folder / 'stdout').read_bytes()
        sound = files_of(folder)
        chosen = self.representatives(command) if is_long else range(1, allocations + 1, max(1, allocations // SAMPLES))
        before = len(self.failures)
        trials = 0
        for number in chosen:
            for last in (number, 10 ** 12):
                folder = self.fresh_folder(command)
                status, _ = self.server.ask(number, last, folder)
                is_complete = self.judge_end(name, number, last, status, folder)
                self.judge_files(name, command, number, last, is_complete, folder, sound)
                trials += 1
        self.server.close()
        self.counts['trials'] += trials
        print(f'{name}: {allocations} allocations, {trials} trials, {len(self.failures) - before} complaints', flush=True)


def main():
    program, library, build_folder = sys.argv[1:4]
    is_long = os.environ.get('DFSWEEP_LONG_TESTS') == '1'
    in_memory = pathlib.Path('/dev/shm')
    parent = in_memory if os.access(in_memory, os.W_OK) else pathlib.Path(build_folder)
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix='dfsweep-allocations-') as name:
        work = pathlib.Path(name)
        base = work / 'base'
        base.mkdir()
        prepare(program, base)
        trials = Trials(program, library, base, work)
        only = [word for word in os.environ.get('DFSWEEP_FAILING_COMMANDS', '').split(',') if word]
        for command, what in commands(base).items():
            if not only or command in only:
                trials.run(command, what, is_long)
    print(', '.join(f'{count} {what}' for what, count in sorted(trials.counts.items())))
    for failure in trials.failures[:60]:
        print(failure)
    if trials.failures:
        sys.exit(f'{len(trials.failures)} complaints')


main()
